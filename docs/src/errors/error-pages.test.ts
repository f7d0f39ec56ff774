import { ParleyError, type ErrorInfo } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { ERROR_SCHEMAS, errorPages } from './error-pages.ts'

const codes = ERROR_SCHEMAS.map(option => option.shape.code.value)
const pages = new Map(errorPages().map(({ path, text }) => [path, text]))

describe('errorPages', () => {
  it('errorPages has one page for each code, and a list of all', () => {
    expect([...pages.keys()].toSorted()).toEqual([...codes, 'index'].map(code => `errors/${code}.md`).toSorted())
    const listed = [...(pages.get('errors/index.md') ?? '').matchAll(/^\| \[`([a-z-]+)`\]/gm)].map(match => match[1])
    expect(new Set(listed)).toEqual(new Set(codes))
    expect(listed).toHaveLength(codes.length)
  })

  it.each(codes)('the page about %s has a cause, a remedy and every field, at the address of the error', code => {
    const error = new ParleyError({
      code,
      agent: 'a',
      model: 'a',
      issues: [],
      known: [],
      available: [],
      roles: [],
    } as unknown as ErrorInfo)
    const page = pages.get(`${error.docs}.md`) ?? ''
    expect(page).toMatch(/\n\*\*Cause\.\*\* \S.{20,}\.\n\n\*\*What to do\.\*\* \S.{10,}\.\n/)
    const fields = ERROR_SCHEMAS.find(option => option.shape.code.value === code)?.shape ?? {}
    for (const field of Object.keys(fields))
      if (field !== 'code') expect(page).toMatch(new RegExp(`^\\| \`${field}\\??\` \\| \\S`, 'm'))
  })
})
