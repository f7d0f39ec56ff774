const NAME = 'parley-studio-key'

/** The key of this tab. It is forgotten with the tab. */
export function accessKey(): string | undefined {
  return sessionStorage.getItem(NAME) ?? undefined
}

/** Keeps a key for this tab. */
export function keepAccessKey(key: string): void {
  sessionStorage.setItem(NAME, key)
}
