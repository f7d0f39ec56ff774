import type { PiiKind } from '@parley/core/masking'

/** The placeholders and values of one partition. The placeholders of each kind are numbered from 1, without gaps. */
export class TokenTable {
  readonly #tokens = new Map<string, string>()
  readonly #values = new Map<string, string>()
  readonly #counts = new Map<PiiKind, number>()

  tokenOf(kind: PiiKind, value: string): string | undefined {
    return this.#tokens.get(`${kind} ${value}`)
  }

  valueOf(token: string): string | undefined {
    return this.#values.get(token)
  }

  /** Assigns the next placeholder of its kind to a value. */
  add(kind: PiiKind, value: string): string {
    const token = this.next(kind)
    this.#counts.set(kind, this.#count(kind) + 1)
    this.#tokens.set(`${kind} ${value}`, token)
    this.#values.set(token, value)
    return token
  }

  /** Returns the placeholder that the next value of a kind will get. */
  next(kind: PiiKind): string {
    return `[${kind.toUpperCase()}_${this.#count(kind) + 1}]`
  }

  #count(kind: PiiKind): number {
    return this.#counts.get(kind) ?? 0
  }
}
