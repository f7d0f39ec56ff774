import type { RawBuilder } from 'kysely'

/** A column type: `text` as the database has it, or an expression of its own. */
export type TextType = 'text' | RawBuilder<unknown>
