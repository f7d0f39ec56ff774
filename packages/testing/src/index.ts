export { fakeClock, type FakeClock } from './fake-clock.ts'
export { scriptedModel, type Script, type ScriptedModel, type ScriptedModelOptions } from './model/scripted-model.ts'
export type { ScriptedAnswer, ScriptedCall, ScriptStep } from './model/script-step.ts'
