export { fakeClock, type FakeClock } from './fake-clock.ts'
export { scriptedModel, type Script, type ScriptedModel, type ScriptedModelOptions } from './scripted-model.ts'
export type { ScriptedAnswer, ScriptedCall, ScriptStep } from './script-step.ts'
