import { monotonicNow, type Clock } from '@parley/core'

/** The amounts that one key has spent. */
export interface Spent {
  tokens: number
  usd: number
  modelCalls: number
  toolCalls: number
}

interface Account extends Spent {
  readonly openedAt: number
}

/** Tracks what each key has spent in its current window. */
export class Ledger {
  readonly #clock: Clock
  readonly #windowMs: number
  readonly #accounts = new Map<string, Account>()

  constructor(clock: Clock, windowMs: number) {
    this.#clock = clock
    this.#windowMs = windowMs
  }

  /** Returns the account of a key, or a new one if its window is over. */
  account(key: string): Spent {
    const now = monotonicNow(this.#clock)
    const known = this.#accounts.get(key)
    if (known !== undefined && !this.#isOver(known, now)) return known
    // Accounts whose window is over are removed.
    for (const [other, account] of this.#accounts) {
      // The map holds accounts in the order in which they were opened.
      if (!this.#isOver(account, now)) break
      this.#accounts.delete(other)
    }
    const account: Account = { tokens: 0, usd: 0, modelCalls: 0, toolCalls: 0, openedAt: now }
    this.#accounts.set(key, account)
    return account
  }

  #isOver({ openedAt }: Account, now: number): boolean {
    return now - openedAt >= this.#windowMs
  }
}
