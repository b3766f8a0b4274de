import './styles/app.css';
import { loadFontWhenIdle } from './font.ts';
import { PublicDocs } from './pages/public/public-docs.tsx';
import { show } from './show.tsx';

loadFontWhenIdle();
show(<PublicDocs />);
