import { searchWords, type RunQuery } from '@parley/core'
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely'
import type { StoreTables } from '../tables/store-tables.ts'
import { runRows } from './run-rows.ts'

/** Which conditions a query has. Queries of the same shape are the same statement with other values. */
export interface ListShape {
  readonly fields: readonly ListField[]
  /** Number of words that the preview must have. */
  readonly words: number
  /**
   * Where the statement begins: at the runs that have the first word, or at the runs of a session, of a parent or of a status that
   * few runs have. Each of the others is looked up.
   */
  readonly from: 'words' | 'runs'
}

/** Fields of a query that are conditions of their own. */
const FIELDS = ['sessionId', 'status', 'agent', 'relation', 'parent', 'roots', 'since', 'until', 'after'] as const
type ListField = (typeof FIELDS)[number]

/** The values of a statement that lists runs, by name. */
export type ListValues = Readonly<Record<string, string | number>>

/** Returns the shape of a query and its values. */
export function planList(query: RunQuery): { readonly shape: ListShape; readonly values: ListValues } {
  const { scope, limit = 100, after, text = '' } = query
  const fields = FIELDS.filter(field => query[field] !== undefined && query[field] !== false)
  const values: Record<string, string | number> = { scope, limit }
  for (const field of fields) {
    const value = query[field]
    if (typeof value === 'string' || typeof value === 'number') values[field] = value
  }
  if (after !== undefined) Object.assign(values, { afterAt: after.startedAt, afterId: after.runId })
  // The longest word first: it is probably the rarest, and the statement goes through the runs that have it.
  const words = [...searchWords(text)].toSorted((a, b) => b.length - a.length)
  for (const [index, word] of words.entries()) values[`word${index}`] = word
  const isSmall = query.sessionId !== undefined || query.parent !== undefined || isUnfinished(query)
  return { shape: { fields, words: words.length, from: words.length === 0 || isSmall ? 'runs' : 'words' }, values }
}

function isUnfinished({ status }: RunQuery): boolean {
  return status === 'running' || status === 'suspended'
}

/** Selects the rows of the runs that match a query, newest first. @param values As `planList` returns them. */
export function listRunsQuery(db: Kysely<StoreTables>, { fields, words, from }: ListShape, values: ListValues) {
  const limit = values['limit'] as number
  let rows = runRows(db).where(equals('runs.scope', values['scope']))
  for (const field of fields) rows = rows.where(conditionOf(field, values))
  if (from === 'runs') {
    for (let index = 0; index < words; index++) rows = rows.where(hasWord('runs', values, index))
    return rows.orderBy('runs.started_at', 'desc').orderBy('runs.run_id', 'desc').limit(limit)
  }
  // The words have the time and the id of their runs, so their index has the order of the list.
  let found = rows
    .innerJoin('run_words', 'run_words.run_id', 'runs.run_id')
    .where(equals('run_words.scope', values['scope']))
    .where(equals('run_words.word', values['word0']))
  for (const field of fields)
    if (field === 'since' || field === 'until' || field === 'after')
      found = found.where(withinTime(field, values, 'run_words'))
  for (let index = 1; index < words; index++) found = found.where(hasWord('run_words', values, index))
  return found.orderBy('run_words.started_at', 'desc').orderBy('run_words.run_id', 'desc').limit(limit)
}

function hasWord(table: 'runs' | 'run_words', values: ListValues, index: number): RawBuilder<SqlBool> {
  return sql`exists (select 1 from run_words as other
    where ${equals('other.scope', values['scope'])} and ${equals('other.word', values[`word${index}`])}
    and other.started_at = ${sql.ref(`${table}.started_at`)} and other.run_id = ${sql.ref(`${table}.run_id`)})`
}

function conditionOf(field: ListField, values: ListValues): RawBuilder<SqlBool> {
  switch (field) {
    case 'sessionId':
      return equals('runs.session_id', values[field])
    case 'status':
    case 'agent':
    case 'relation':
    case 'parent':
      return equals(`runs.${field}`, values[field])
    case 'roots':
      return sql`runs.relation <> 'sub-agent'`
    case 'since':
    case 'until':
    case 'after':
      return withinTime(field, values, 'runs')
  }
}

function withinTime(
  field: 'since' | 'until' | 'after',
  values: ListValues,
  table: 'runs' | 'run_words',
): RawBuilder<SqlBool> {
  const at = sql.ref(`${table}.started_at`)
  if (field === 'since') return sql`${at} >= ${values[field]}`
  if (field === 'until') return sql`${at} < ${values[field]}`
  return sql`(${at}, ${sql.ref(`${table}.run_id`)}) < (${values['afterAt']}, ${values['afterId']})`
}

function equals(column: string, value: unknown): RawBuilder<SqlBool> {
  return sql`${sql.ref(column)} = ${value}`
}
