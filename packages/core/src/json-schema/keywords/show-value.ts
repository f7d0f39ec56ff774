const MOST_OPTIONS = 30
const MOST_CHARACTERS = 200

/** Writes a JSON value for a message. */
export function showValue(value: unknown): string {
  return shorten(JSON.stringify(value) ?? 'undefined')
}

/** Writes the first values of a list. */
export function showList(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_OPTIONS).map(value => showValue(value))
  const rest = values.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}

/** Writes the first names of a list, without quotes. */
export function showNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_OPTIONS).map(name => shorten(name))
  const rest = names.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}

/** Cuts a long text. */
export function shorten(text: string, most: number = MOST_CHARACTERS): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}
