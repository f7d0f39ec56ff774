import { appendFileSync, readFileSync } from 'node:fs'

/** What happened outside of the journals. A line is written in one system call, so that it survives a `kill -9`. */
export type LedgerLine =
  /** A tool took effect. */
  | { readonly type: 'effect'; readonly key: string }
  /** A model was called for the run with this tag, or for its child run. */
  | { readonly type: 'call'; readonly tag: string }
  /** A poison run killed its process. */
  | { readonly type: 'crash'; readonly pid: number }

export interface Ledger {
  write(line: LedgerLine): void
  read(): readonly LedgerLine[]
}

export function openLedger(path: string): Ledger {
  return {
    write: line => appendFileSync(path, `${JSON.stringify(line)}\n`),
    read: () =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as LedgerLine),
  }
}
