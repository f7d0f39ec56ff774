import { searchWords, type RunQuery } from '@parley/core'
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely'
import type { RunWordRow, StoreTables } from '../tables/store-tables.ts'
import { runRows, type RunProgress } from './run-rows.ts'
import { markWords } from './word-marks.ts'

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
  /** Whether many runs have each of the words. The database may then merge the lists of their runs. @default false */
  readonly isCommon?: boolean | undefined
  /** The field that the fewest runs match. @default the query has no field with an index */
  readonly narrowest?: IndexedField | undefined
  /** Whether the planner has no statistics of the tables, as on SQLite. The statement then hides the indexes of the other fields. @default false */
  readonly lacksStatistics?: boolean | undefined
  /** Where the newest values of a run are. @default in its last append */
  readonly progress?: RunProgress | undefined
}

/** Fields of a query that are conditions of their own. */
const FIELDS = ['sessionId', 'status', 'agent', 'relation', 'parent', 'roots', 'since', 'until', 'after'] as const
type ListField = (typeof FIELDS)[number]

/** Fields with an index. The first ones are narrow. */
const INDEXED = ['sessionId', 'parent', 'status', 'agent', 'relation'] as const
type IndexedField = (typeof INDEXED)[number]

/** The values of a statement that lists runs, by name. */
export type ListValues = Readonly<Record<string, string | number>>

/** A word of a query, and how many runs have it. */
export type CountedWord = readonly [word: string, runs: number]

/** Above this number, one word is as common as another. A list looks up at most as many runs of a rarer word. */
const MAX_COUNT = 500

/** Counts the runs that have a word, up to some hundreds. */
export function countWordQuery(db: Kysely<StoreTables>, { scope, word }: Pick<RunWordRow, 'scope' | 'word'>) {
  const some = db.selectFrom('run_words').select('run_id').where('scope', '=', scope).where('word', '=', word)
  return db.selectFrom(some.limit(sql.lit(MAX_COUNT)).as('some')).select(({ fn }) => fn.countAll<number>().as('runs'))
}

/**
 * Returns the words of a query whose numbers of runs decide how long it takes: the statement goes through the runs that have the first
 * word, and finds out which of them meet the other conditions.
 */
export function wordsToCount({ text = '', ...query }: RunQuery): readonly string[] {
  const words = [...searchWords(text)]
  return isSmall(query) || words.length + fieldsOf(query).filter(isOfRow).length < 2 ? [] : words
}

/**
 * Returns the shape of a query and its values.
 * @param counted The words of `wordsToCount`, with their counts.
 */
export function planList(
  query: RunQuery,
  counted: readonly CountedWord[] = [],
): { readonly shape: ListShape; readonly values: ListValues } {
  const { scope, limit = 100, after, text = '' } = query
  const fields = fieldsOf(query)
  const values: Record<string, string | number> = { scope, limit }
  for (const field of fields) {
    const value = query[field]
    if (typeof value === 'string' || typeof value === 'number') values[field] = value
  }
  if (after !== undefined) Object.assign(values, { afterAt: after.startedAt, afterId: after.runId })
  const counts = new Map(counted)
  const words = [...searchWords(text)].toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))
  for (const [index, word] of words.entries()) values[`word${index}`] = word
  const from = words.length === 0 || isSmall(query) ? 'runs' : 'words'
  if (from === 'words' && words.length > 1) {
    const { mark_a: markA, mark_b: markB } = markWords(words.slice(1))
    Object.assign(values, { markA, markB })
  }
  const isCommon = words.length > 0 && words.every(word => (counts.get(word) ?? 0) >= MAX_COUNT)
  return { shape: { fields, words: words.length, from, isCommon, narrowest: narrowestOf(query) }, values }
}

function fieldsOf(query: Omit<RunQuery, 'text'>): readonly ListField[] {
  return FIELDS.filter(field => query[field] !== undefined && query[field] !== false)
}

/** Most runs are completed, but few have another status. */
function narrowestOf(query: RunQuery): IndexedField | undefined {
  const [first, second] = INDEXED.filter(field => query[field] !== undefined)
  return first === 'status' && second === 'agent' && query.status === 'completed' ? second : first
}

/** Whether few runs match, whatever their words. */
function isSmall({ sessionId, parent, status }: RunQuery): boolean {
  return sessionId !== undefined || parent !== undefined || status === 'running' || status === 'suspended'
}

/** Selects the rows of the runs that match a query, newest first. @param values As `planList` returns them. */
export function listRunsQuery(db: Kysely<StoreTables>, shape: ListShape, values: ListValues) {
  const limit = values['limit'] as number
  if (shape.words === 0) {
    let rows = runRows(db, shape.progress).where(equals('runs.scope', values['scope']))
    for (const field of shape.fields) rows = rows.where(runCondition(field, values, shape))
    return rows.orderBy('runs.started_at', 'desc').orderBy('runs.run_id', 'desc').limit(limit)
  }
  // Indexes alone find the runs of the page, and only their rows are read.
  const page = (shape.from === 'runs' ? runsWithWords : wordsOfRuns)(db, shape, values)
  const rows = runRows(db, shape.progress).innerJoin(page.as('page'), 'page.run_id', 'runs.run_id')
  return rows.orderBy('page.started_at', 'desc').orderBy('page.run_id', 'desc')
}

function runsWithWords(db: Kysely<StoreTables>, shape: ListShape, values: ListValues) {
  const { fields, words } = shape
  let found = db.selectFrom('runs').select(['runs.started_at', 'runs.run_id'])
  found = found.where(equals('runs.scope', values['scope']))
  for (const field of fields) found = found.where(runCondition(field, values, shape))
  for (let index = 0; index < words; index++) found = found.where(isFound('runs', 'run_words', hasWord(values, index)))
  return found
    .orderBy('runs.started_at', 'desc')
    .orderBy('runs.run_id', 'desc')
    .limit(values['limit'] as number)
}

/** The words have the time and the id of their runs, so their index has the order of the list. */
function wordsOfRuns(db: Kysely<StoreTables>, shape: ListShape, values: ListValues) {
  const { fields, words } = shape
  const times = fields.filter(isTime)
  const isMerged = shape.isCommon === true && shape.lacksStatistics !== true
  const meets = (where: From, conditions: readonly RawBuilder<SqlBool>[], isOrdered = true): RawBuilder<SqlBool> => {
    const all = [
      equals('other.scope', values['scope']),
      ...conditions,
      ...times.map(at => withinTime(at, values, 'other')),
    ]
    return (isMerged && isOrdered ? isAmong : isFound)('run_words', where, all)
  }
  let found = db.selectFrom('run_words').select(['run_words.started_at', 'run_words.run_id'])
  found = found.where(equals('run_words.scope', values['scope'])).where(equals('run_words.word', values['word0']))
  for (const field of times) found = found.where(withinTime(field, values, 'run_words'))
  if (words > 1) found = found.where(hasBits('mark_a', values['markA'])).where(hasBits('mark_b', values['markB']))
  for (let index = 1; index < words; index++)
    found = found.where(meets('run_words', [equals('other.word', values[`word${index}`])]))
  const others = fields.filter(isOfRow)
  if (others.length > 0) {
    const conditions = others.map(field => conditionOf(field, values, 'other'))
    found = found.where(meets('runs', conditions, others.some(isIndexed)))
  }
  return found
    .orderBy('run_words.started_at', 'desc')
    .orderBy('run_words.run_id', 'desc')
    .limit(values['limit'] as number)
}

/**
 * Whether the run may have the other words. PostgreSQL expects `>=` of a third of the rows, and `=` of one in 200. For rows of earlier
 * releases, which have every bit, it would then look up each run of a common word.
 */
function hasBits(column: 'mark_a' | 'mark_b', bits: unknown): RawBuilder<SqlBool> {
  return sql`(${sql.ref(`run_words.${column}`)} & ${bits}) >= ${bits}`
}

function hasWord(values: ListValues, index: number): readonly RawBuilder<SqlBool>[] {
  return [equals('other.scope', values['scope']), equals('other.word', values[`word${index}`])]
}

/**
 * Whether `where` has a row of the same run. PostgreSQL would join an `exists`: it expects one match of time and id, and then reads
 * one of the tables to its end. It looks up a scalar query for each row, so the statement ends with the page, or with the few runs of
 * a rare word.
 */
function isFound(table: From, where: From, conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return sql`(${rowOfRun(table, where, conditions)}) = 1`
}

/**
 * Whether `where` has a row of the same run. PostgreSQL merges two long lists that have the same order: if few runs are in both, this takes
 * an eighth of the time of a lookup for each run of one list.
 */
function isAmong(table: From, where: From, conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return sql`exists (${rowOfRun(table, where, conditions)})`
}

function rowOfRun(table: From, where: From, conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<unknown> {
  return sql`select 1 from ${sql.table(where)} as other where ${sql.join(conditions, sql` and `)}
    and other.started_at = ${sql.ref(`${table}.started_at`)} and other.run_id = ${sql.ref(`${table}.run_id`)}`
}

type From = 'runs' | 'run_words'
type Table = From | 'other'

/** SQLite looks up no index for a column with `+`. */
function runCondition(
  field: ListField,
  values: ListValues,
  { narrowest, lacksStatistics }: ListShape,
): RawBuilder<SqlBool> {
  const condition = conditionOf(field, values, 'runs')
  const isOther = isIndexed(field) && field !== narrowest
  return lacksStatistics === true && isOther ? sql`+${condition}` : condition
}

function conditionOf(field: ListField, values: ListValues, table: Table): RawBuilder<SqlBool> {
  switch (field) {
    case 'sessionId':
      return equals(`${table}.session_id`, values[field])
    case 'status':
    case 'agent':
    case 'relation':
    case 'parent':
      return equals(`${table}.${field}`, values[field])
    case 'roots':
      return sql`${sql.ref(`${table}.relation`)} <> 'sub-agent'`
    case 'since':
    case 'until':
    case 'after':
      return withinTime(field, values, table)
  }
}

function isIndexed(field: ListField): boolean {
  return INDEXED.some(each => each === field)
}

/** Whether only the row of a run has the field. The words have the time and the id. */
function isOfRow(field: ListField): boolean {
  return !isTime(field)
}

function isTime(field: ListField): field is 'since' | 'until' | 'after' {
  return field === 'since' || field === 'until' || field === 'after'
}

function withinTime(field: 'since' | 'until' | 'after', values: ListValues, table: Table): RawBuilder<SqlBool> {
  const at = sql.ref(`${table}.started_at`)
  if (field === 'since') return sql`${at} >= ${values[field]}`
  if (field === 'until') return sql`${at} < ${values[field]}`
  return sql`(${at}, ${sql.ref(`${table}.run_id`)}) < (${values['afterAt']}, ${values['afterId']})`
}

function equals(column: string, value: unknown): RawBuilder<SqlBool> {
  return sql`${sql.ref(column)} = ${value}`
}
