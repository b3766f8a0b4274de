// Before the first paint, so that neither a chosen theme nor the font flashes; a file of its own, because the policy allows no inline script.
// Sign-in and its like have no menu.
if (/^\/dashboard\/(sign-in|setup|invitation|reset)\b/.test(location.pathname)) document.documentElement.dataset.door = '';
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  const font = localStorage.getItem('docent font');
  if (/^\/dashboard\/assets\/[\w.-]+\.css$/.test(font ?? '')) {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = font;
    document.head.append(link);
  }
} catch { /* storage is blocked: follow the system */ }
