import './styles/app.css';
import './styles/page-body.css';
import './styles/reader.css';
import type { PublicPageData } from '../../api/dashboard/contract/site.ts';
import { loadFontWhenIdle } from './font.ts';
import { PublicDocs } from './pages/public/public-docs.tsx';
import { show } from './show.tsx';

loadFontWhenIdle();
const data = document.getElementById('data')?.textContent;
show(<PublicDocs first={data ? (JSON.parse(data) as PublicPageData) : undefined} />);
