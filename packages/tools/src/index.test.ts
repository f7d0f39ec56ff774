import { expect, it } from 'vitest'
import * as context from './context/index.ts'
import * as files from './files/index.ts'
import * as root from './index.ts'
import * as openapi from './openapi/index.ts'
import * as memory from './memory/index.ts'
import * as math from './math/index.ts'
import * as network from './network/index.ts'
import * as shell from './shell/index.ts'
import * as skills from './skills/index.ts'
import * as text from './text/index.ts'
import * as time from './time/index.ts'
import * as web from './web/index.ts'
import * as workspace from './workspace/index.ts'

it('each entry of the tools package exports exactly the listed names', () => {
  expect(Object.keys(root).sort()).toEqual(['calculator', 'createTimeTools', 'evaluateExpression'])
  expect(Object.keys(math).sort()).toEqual(['calculator', 'evaluateExpression'])
  expect(Object.keys(time).sort()).toEqual(['createTimeTools'])
  expect(Object.keys(workspace).sort()).toEqual(['SENSITIVE_NAMES', 'createWorkspace'])
  expect(Object.keys(openapi).sort()).toEqual(['openApiTools', 'parseOpenApi', 'readOpenApi'])
  expect(Object.keys(files).sort()).toEqual(['createFileTools'])
  expect(Object.keys(text).sort()).toEqual(['createTextTools'])
  expect(Object.keys(skills).sort()).toEqual(['loadSkills'])
  expect(Object.keys(context).sort()).toEqual(['createContextTools'])
  expect(Object.keys(memory).sort()).toEqual(['createMemoryTools'])
  expect(Object.keys(network).sort()).toEqual([
    'createGuardedFetch',
    'createNetworkGuard',
    'guardedRequest',
    'isPublicAddress',
  ])
  expect(Object.keys(web).sort()).toEqual([
    'createBraveEngine',
    'createSearxngEngine',
    'createTavilyEngine',
    'createWebTools',
    'htmlToMarkdown',
  ])
  expect(Object.keys(shell).sort()).toEqual([
    'PASSED_VARIABLES',
    'coderPolicy',
    'createShellTool',
    'findSandbox',
    'noNetworkPolicy',
    'readOnlyPolicy',
  ])
})
