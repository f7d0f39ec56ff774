import { describeResumeRace } from './__fixtures__/describe-resume-race.ts'

// `resume-race.deep.test.ts` has more rounds.
describeResumeRace(20)
