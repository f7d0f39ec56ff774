/** How the page looks: as the system says, or always light or dark. */
export type Theme = 'system' | 'light' | 'dark'

const NAME = 'parley-studio-theme'

/** The theme that the reader chose. */
export function chosenTheme(): Theme {
  const kept = localStorage.getItem(NAME)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** Shows the page in a theme, and keeps the choice. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(NAME)
    delete document.documentElement.dataset['theme']
    return
  }
  localStorage.setItem(NAME, theme)
  document.documentElement.dataset['theme'] = theme
}
