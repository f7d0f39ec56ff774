// Deep: it has 200 rounds on each store.
import { describeResumeRace } from './__fixtures__/describe-resume-race.ts'

describeResumeRace(200)
