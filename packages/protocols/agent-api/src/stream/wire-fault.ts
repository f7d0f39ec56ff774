/** What is unusual about the bytes of a stream. Readers get over it, other clients may not. */
export interface WireFault {
  readonly code: WireFaultCode
  /** Counted from 1. */
  readonly line: number
  readonly detail: string
}

export type WireFaultCode =
  | 'utf-8'
  | 'byte-order-mark'
  | 'carriage-return'
  | 'line-separator'
  | 'field'
  | 'json'
  | 'sentinel'
  | 'unclosed-event'
