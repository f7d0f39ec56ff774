import type { RawBuilder } from 'kysely'
import type { Migration } from 'kysely/migration'
import { appendRows } from './migrations/append-rows.ts'
import { appends } from './migrations/appends.ts'
import { artifacts } from './migrations/artifacts.ts'
import { deadLetters } from './migrations/dead-letters.ts'
import { inbox } from './migrations/inbox.ts'
import { journal } from './migrations/journal.ts'
import { memory } from './migrations/memory.ts'
import { quotaTotals } from './migrations/quota-totals.ts'
import { runChildren } from './migrations/run-children.ts'
import { runDescendants } from './migrations/run-descendants.ts'
import { runFilters } from './migrations/run-filters.ts'
import { runLists } from './migrations/run-lists.ts'
import { runNumbers } from './migrations/run-numbers.ts'
import { runParents } from './migrations/run-parents.ts'
import { runSpace } from './migrations/run-space.ts'
import { wordMarks } from './migrations/word-marks.ts'
import { workflows } from './migrations/workflows.ts'
import type { TextType } from './store-tables.ts'

/** How a database stores tables. */
export interface TableForms {
  readonly keyOrder?: RawBuilder<unknown> | undefined
  readonly isNumbered?: boolean | undefined
  readonly updateSpace?: RawBuilder<unknown> | undefined
  readonly hasIncludes?: boolean | undefined
}

/** All migrations, oldest first. A released migration never changes; add a new one at the end. */
export function storeMigrations(
  textType: TextType,
  { keyOrder, isNumbered, updateSpace, hasIncludes }: TableForms = {},
): Readonly<Record<string, Migration>> {
  return {
    '0001-journal': journal(textType),
    '0002-run-parents': runParents(textType),
    '0003-dead-letters': deadLetters(textType),
    '0004-inbox': inbox(textType),
    '0005-artifacts': artifacts(textType),
    '0006-appends': appends(textType, keyOrder),
    '0007-memory': memory(textType),
    '0008-workflows': workflows(textType),
    '0009-quota-totals': quotaTotals(textType),
    '0010-append-rows': appendRows(textType, keyOrder),
    '0011-run-lists': runLists(textType, keyOrder),
    '0012-run-children': runChildren(),
    '0013-run-descendants': runDescendants(),
    '0014-run-numbers': runNumbers(isNumbered),
    '0015-run-space': runSpace(updateSpace),
    '0016-run-filters': runFilters(),
    '0017-word-marks': wordMarks(hasIncludes),
  }
}
