/** A rule of the protocol that a stream broke. */
export interface Violation {
  readonly code: ViolationCode
  /**
   * Index of the event, from 0. With the code `wire`, the number of the line, from 1. If an event is missing at the end
   * of the stream, the number of events.
   */
  readonly at: number
  /** Describes the violation, with the values that were found. */
  readonly detail: string
}

/** The rule that a stream broke. */
export type ViolationCode =
  /** The bytes have a form that not every client can read. */
  | 'wire'
  /** A value is not an event, or does not match the schema of its kind. */
  | 'event-shape'
  /** Numbers do not count up from 0 by one, or a nested number differs from that of its event. */
  | 'numbering'
  /** The stream does not start with the response, or continues before the response is in progress. */
  | 'opening'
  /** A fact changed that must stay: id, time or session of the response, type or role of a message, type of a part. */
  | 'identity'
  /** A status follows one that it must not follow. */
  | 'transition'
  /** The stream has no terminal event or several, or continues after it. */
  | 'terminal'
  /** The end of the response lacks its time or error, or has one that it must not have. */
  | 'response-end'
  /** The output differs from the messages that were streamed. */
  | 'output'
  /** A message or part is open where it must have ended. */
  | 'left-open'
  /** An announcement has content, an ended message differs from what was streamed, a role is wrong or an error is missing. */
  | 'message'
  /** Content is for a message that is not open, has a wrong index, or comes after the end. */
  | 'content-address'
  /** The deltas of a part, joined, differ from the final value of the part. */
  | 'content-value'
  /** The data of a tool message does not match its type, or its call id is wrong. */
  | 'payload'
