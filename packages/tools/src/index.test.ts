import { expect, it } from 'vitest'
import * as files from './files/index.ts'
import * as root from './index.ts'
import * as openapi from './openapi/index.ts'
import * as math from './math/index.ts'
import * as time from './time/index.ts'
import * as workspace from './workspace/index.ts'

it('exports exactly this', () => {
  expect(Object.keys(root).sort()).toEqual(['calculator', 'createTimeTools', 'evaluateExpression'])
  expect(Object.keys(math).sort()).toEqual(['calculator', 'evaluateExpression'])
  expect(Object.keys(time).sort()).toEqual(['createTimeTools'])
  expect(Object.keys(workspace).sort()).toEqual(['SENSITIVE_NAMES', 'createWorkspace'])
  expect(Object.keys(openapi).sort()).toEqual(['openApiTools', 'parseOpenApi', 'readOpenApi'])
  expect(Object.keys(files).sort()).toEqual(['createFileTools'])
})
