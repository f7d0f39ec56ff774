/** What the chat shows, as its address holds it. */
export interface PlayView {
  readonly agent?: string | undefined
  /** The last run of the conversation. */
  readonly run?: string | undefined
}

/** Reads the view from an address. What is invalid is left out. */
export function readPlayView({ agent, run }: Record<string, unknown>): PlayView {
  return { ...(typeof agent === 'string' ? { agent } : {}), ...(typeof run === 'string' ? { run } : {}) }
}
