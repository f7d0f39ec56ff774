/** The id of a step inside the step `at`. `''` is the run itself. */
export function stepId(at: string, segment: string): string {
  return at === '' ? segment : `${at}.${segment}`
}

/** The id of one item of a map. An empty index means all items. */
export function itemId(at: string, index: number | ''): string {
  return `${at}[${index}]`
}

/** The id of one round of a repeat step. An empty `round` means all rounds. */
export function roundId(at: string, round: number | ''): string {
  return `${at}#${round}`
}

/** The id of the steps that run after a failure. */
export function rescueId(at: string): string {
  return `${at}!`
}

/** The id of a call. A number keeps it unique in a session with earlier calls. */
export function callIdOf(step: string, before: number): string {
  return before === 0 ? step : `${step}~${before}`
}

/** The id of the step that made a call. */
export function stepOfCall(callId: string): string {
  return callId.replace(/~\d+$/, '')
}

/** The place of a step in the definition: its id without item and round numbers. */
export function placeOf(id: string): string {
  return id.replaceAll(/\[\d+\]/g, '[]').replaceAll(/#\d+/g, '#')
}
