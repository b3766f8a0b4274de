import './styles/app.css';
import { RouterProvider } from '@tanstack/react-router';
import { watchConnection } from './data/connection.ts';
import { queryClient } from './data/queries.ts';
import { loadFontWhenIdle } from './font.ts';
import { preloadPage, preloadWhenIdle } from './preload.ts';
import { router } from './router.ts';
import { show } from './show.tsx';

router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) document.body.dataset['navigated'] = 'true';
});

loadFontWhenIdle();
preloadWhenIdle();
watchConnection(() => void queryClient.invalidateQueries());

// Of the page at this address, at the same time as the session that the router asks for first.
const [matched] = router.getMatchedRoutes(router.latestLocation.pathname);
for (const { options } of matched) preloadPage(options);

// The shell in index.html stays until there is something to show in its place.
void router.load().finally(() => show(<RouterProvider router={router} />));
