import './styles/tokens.css';
import './styles/base.css';
import './styles/buttons.css';
import './styles/forms.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/pages.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './data/queries.ts';
import { loadFontWhenIdle } from './font.ts';
import { PublicDocs } from './pages/public/public-docs.tsx';

loadFontWhenIdle();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <PublicDocs />
    </QueryClientProvider>
  </StrictMode>,
);
