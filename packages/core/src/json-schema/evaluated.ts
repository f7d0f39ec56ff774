import { spend, type Work } from '../pattern/work.ts'

/** The members and items of one value that keywords have looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  allMembers = false
  readonly members = new Set<string>()
  /** Number of items, from the first, that were looked at. */
  items = 0
  readonly contained = new Set<number>()

  has(key: string): boolean {
    return this.allMembers || this.members.has(key)
  }

  hasItem(index: number): boolean {
    return index < this.items || this.contained.has(index)
  }

  /** Adds what a fitting subschema has looked at. */
  add(other: Evaluated, work: Work): void {
    spend(work, other.members.size + other.contained.size)
    if (other.allMembers) this.allMembers = true
    for (const key of other.members) this.members.add(key)
    this.items = Math.max(this.items, other.items)
    for (const index of other.contained) this.contained.add(index)
  }
}
