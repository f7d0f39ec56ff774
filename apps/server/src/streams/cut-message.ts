/** Code of the event that ends a stream before its run has ended. */
export const STREAM_ENDED = 'STREAM_ENDED'

/** Tells a reader that its stream was cut, and where it can read on. */
export function cutMessage(resumeAt: string): string {
  return `The stream ended early, because its reader accepted no data. The run continues. Resume at GET ${resumeAt}.`
}
