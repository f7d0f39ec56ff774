export { createDemoModel, type DemoModelOptions } from './create-demo-model.ts'
