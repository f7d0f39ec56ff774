import { isTruthy, ownValue, valueText } from './inert-value.ts'

/** A filter. @throws RangeError if the filter cannot use the value. */
export type JinjaFilterFunction = (value: unknown, given: readonly unknown[]) => unknown

const MOST_JOINED = 64 * 1024 * 1024

/** The built-in filters. */
export const JINJA_FILTERS: Readonly<Record<string, JinjaFilterFunction>> = {
  upper: value => valueText(value).toUpperCase(),
  lower: value => valueText(value).toLowerCase(),
  trim: value => valueText(value).trim(),
  length: value => {
    if (typeof value === 'string' || Array.isArray(value)) return value.length
    if (typeof value === 'object' && value !== null) return Object.keys(value).length
    if (value === undefined || value === null) return 0
    throw new RangeError(`'length' requires a string, a list or a map, not ${valueText(value)}`)
  },
  join: (value, [separator = '']) => {
    if (value === undefined || value === null) return ''
    if (!Array.isArray(value)) throw new RangeError("'join' requires a list")
    const items = value.map((_item, index) => valueText(ownValue(value, index)))
    const between = valueText(separator)
    const total = items.reduce((sum, item) => sum + item.length + between.length, 0)
    if (total > MOST_JOINED) throw new RangeError(`'join' makes more than ${MOST_JOINED} characters`)
    return items.join(between)
  },
  default: (value, [fallback = '', alsoFalsy = false]) => {
    const isMissing = value === undefined || value === null || (isTruthy(alsoFalsy) && !isTruthy(value))
    return isMissing ? fallback : value
  },
}
