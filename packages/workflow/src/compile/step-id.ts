/** The id of a step within the one of id `at`; `''` is the run. */
export function stepId(at: string, segment: string): string {
  return at === '' ? segment : `${at}.${segment}`
}

/** The id of the work for one item of a map, or of all of them. */
export function itemId(at: string, index: number | ''): string {
  return `${at}[${index}]`
}

/** The id of one round of a repeat, or of all of them. */
export function roundId(at: string, round: number | ''): string {
  return `${at}#${round}`
}

/** The id of what is run when a step has failed. */
export function rescueId(at: string): string {
  return `${at}!`
}

/** A call's id in a session that had calls before it. */
export function callIdOf(step: string, before: number): string {
  return before === 0 ? step : `${step}~${before}`
}

export function stepOfCall(callId: string): string {
  return callId.replace(/~\d+$/, '')
}

/** What all items and rounds of a step have in common: its place in the definition. */
export function placeOf(id: string): string {
  return id.replaceAll(/\[\d+\]/g, '[]').replaceAll(/#\d+/g, '#')
}
