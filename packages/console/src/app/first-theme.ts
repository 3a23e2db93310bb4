// Runs before the first paint, and before any module. The policy of the page allows no script inside it, so this is a file.
try {
  const theme = localStorage.getItem('fieldroster-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.mantineColorScheme = theme;
} catch {
  // A browser that refuses storage has kept no choice.
}
