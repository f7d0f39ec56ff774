// Deep: it starts each of about 90 examples.
import { describeExamples, examples } from './__fixtures__/describe-examples.ts'

describeExamples(examples)
