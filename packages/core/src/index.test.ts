import { expect, it } from 'vitest'
import * as core from './index.ts'
import * as schema from './schema/index.ts'

it('exports what the package promises at run time', () => {
  expect(Object.keys(core).toSorted()).toEqual([
    'ENTRY_VERSION',
    'ParleyError',
    'ZERO_USAGE',
    'addCost',
    'addUsage',
    'applyToRecord',
    'checkAppend',
    'checkSessionHead',
    'compose',
    'costOf',
    'createChannel',
    'createId',
    'defineMiddleware',
    'defineTool',
    'describeError',
    'isEntryEvent',
    'isStandardSchema',
    'isToolOutcome',
    'messageText',
    'toErrorInfo',
    'toJsonSchema',
    'toolAsk',
    'toolCallsOf',
    'toolError',
    'toolOk',
    'totalTokens',
    'userMessage',
  ])
})

it('exports a schema for everything that is stored or sent', () => {
  expect(Object.keys(schema).toSorted()).toEqual([
    'approvalDecisionSchema',
    'approvalRequestSchema',
    'assistantMessageSchema',
    'assistantPartSchema',
    'cancelReasonSchema',
    'costSchema',
    'entrySchema',
    'errorInfoSchema',
    'filePartSchema',
    'finishReasonSchema',
    'jsonSchema',
    'limitHitSchema',
    'limitNameSchema',
    'messageSchema',
    'opaquePartSchema',
    'outcomeSchema',
    'parseEntry',
    'principalSchema',
    'providerDataSchema',
    'reasoningPartSchema',
    'relationSchema',
    'systemMessageSchema',
    'textPartSchema',
    'toolCallPartSchema',
    'toolMessageSchema',
    'toolResultPartSchema',
    'usageSchema',
    'userMessageSchema',
    'userPartSchema',
  ])
})
