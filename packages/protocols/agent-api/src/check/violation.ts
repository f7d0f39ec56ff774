/** A rule of the protocol that a stream broke. */
export interface Violation {
  readonly code: ViolationCode
  /** Which event, counted from 0; of a wire fault, which line, counted from 1; the number of events for what lacks at the end. */
  readonly at: number
  /** What was seen, with the values. */
  readonly detail: string
}

export type ViolationCode =
  /** The bytes are not as every client can read them. */
  | 'wire'
  /** An event that is none, or does not fit the schema of its kind. */
  | 'event-shape'
  /** Numbers do not count up from 0 by one, or a nested number is not that of its event. */
  | 'numbering'
  /** The stream does not open with the response, or goes on without it being in progress. */
  | 'opening'
  /** Id, time or session of the response, type or role of a message, or type of a part changed. */
  | 'identity'
  /** A status follows one it cannot follow. */
  | 'transition'
  /** Not exactly one terminal event, or something after it. */
  | 'terminal'
  /** The end of the response lacks its time or error, or has one too many. */
  | 'response-end'
  /** The output is not the messages that were streamed. */
  | 'output'
  /** A message or part is left open where it must have ended. */
  | 'left-open'
  /** An announcement with content, an ended message without what was streamed for it, a wrong role or missing error. */
  | 'message'
  /** Content for a message that is not open, at a wrong place, or after its end. */
  | 'content-address'
  /** Deltas and ends do not go together. */
  | 'content-value'
  /** The data of a tool message does not fit its type, or its call id. */
  | 'payload'
