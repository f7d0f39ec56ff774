import type { Json } from './json.ts'

/** A value as it is after it was written as JSON and read again, for example in a journal. */
export type JsonOf<T> = unknown extends T
  ? Json
  : T extends string | number | boolean | null
    ? T
    : T extends undefined | void
      ? null
      : T extends { toJSON: () => infer TJson }
        ? JsonOf<TJson>
        : { [TKey in keyof T]: JsonOf<Exclude<T[TKey], undefined>> }
