// Before the first paint, so that a chosen theme does not flash; a file of its own, because the policy allows no inline script.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch { /* storage is blocked: follow the system */ }
