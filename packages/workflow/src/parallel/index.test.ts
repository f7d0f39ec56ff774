import { expect, it } from 'vitest'
import * as parallel from './index.ts'

it('@parley/workflow/parallel exports bestOf, createJudge and fanOut at run time', () => {
  expect(Object.keys(parallel).toSorted()).toEqual(['bestOf', 'createJudge', 'fanOut'])
})
