import './styles/app.css';
import type { LinkedPullRequest } from '../../api/dashboard/contract/jobs.ts';
import { loadFontWhenIdle } from './font.ts';
import { PublicReview } from './pages/public/public-review.tsx';
import { show } from './show.tsx';

loadFontWhenIdle();
// A page without data says all that there is to say.
const data = document.getElementById('data')?.textContent;
if (data) show(<PublicReview pull={JSON.parse(data) as LinkedPullRequest} />);
