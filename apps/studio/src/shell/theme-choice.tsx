import { useState } from 'react'
import { applyTheme, chosenTheme, type Theme } from './theme.ts'

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'System theme'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]

/** Chooses how the page looks. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <select
      aria-label="Theme"
      value={theme}
      onChange={event => {
        const next = event.target.value as Theme
        applyTheme(next)
        setTheme(next)
      }}
    >
      {THEMES.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  )
}
