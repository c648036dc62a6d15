import { beforeAll, describe, expect, it } from 'vitest'
import { campaignTag } from '../../scripts/test/suites.ts'
import { runSeed } from '../../simulation/runs/run-seed.ts'
import { startProgram } from '../../simulation/runs/start-program.ts'

/** The 200 days of `.ci/run` stand for these in `npm test`, which has little time. */
describe('a day of bad luck', () => {
  let started: Awaited<ReturnType<typeof startProgram>>
  beforeAll(async () => {
    started = await startProgram()
  })

  it.each([
    [90020, 'makes no video of a form of which the bucket has lost a part'],
    [91012, 'forgets a job whose video was deleted before its object knew that it had ended'],
    [66, 'removes the source of a video that is deleted twice at once'],
    [2000, 'does not take back the end of a delivery to a bucket'],
    [1005, 'sends nothing more to an endpoint that is disabled while an attempt is on its way'],
    [300095, 'begins the schedule of a webhook again while its first attempt is on its way'],
    [
      4017,
      'tells those who follow a video of its end, although the answer to that change was lost',
    ],
    [90036, 'keeps the file of a form whose video was made, although the answer to that was lost'],
    [95105, 'leaves nothing of a film of which no part was given away'],
    [200238, 'lends no slot beyond a cap after the dispatcher has forgotten what runs'],
    [700025, 'archives a video under its last name if two sweeps archive it at the same time'],
    [12, 'gives a job its turn again if neither its call nor its message arrives'],
    [7419, 'tells no earlier time of the last change when a container has started slowly'],
    [7480, 'calls the next job when one leaves that began while the line was read'],
    [7482, 'lends an account no more than it may after the dispatcher was restarted'],
    [
      378,
      'soon lends the slots of a film again whose return was lost, however often the dispatcher is restarted',
    ],
    [384, 'keeps a video deleted that a late sweep writes to the archive once more'],
    [7578, 'offers a job whose message comes while its object looks for an expected end'],
    [2, 'keeps the record of a video that two sweeps archive at the same time'],
    [159, 'offers a job although a message from before comes behind its last one'],
    [811013, 'forgets a job that the sweep has ended while its object answered nobody'],
    [69, 'forgets a job whose end is written late while it is offered once more'],
    [
      1300243,
      'leaves nothing in the archive of a video that is deleted while two sweeps archive it',
    ],
    [
      1500236,
      'does not end a job by an attempt that was handed back, if the answer to that was lost',
    ],
    [1500258, 'keeps no file with names that were given while their video was deleted'],
    [
      2000378,
      'keeps no file with names of a deleted video whose bucket failed when they were given',
    ],
    [1400682, 'forgets a job whose end comes late while its object is told to offer it'],
    [
      1400726,
      'stops the work on a canceled video of which nothing new is told, if the answer to the cancel was lost',
    ],
    [35, 'tries a webhook no sooner because its message comes twice'],
    [2000539, 'keeps nobody in line who begins with a turn of a dispatcher that was moved'],
    [2000521, 'counts no slot as lent that a film has just given back'],
    [2000412, 'gives the slots of a film back when its parts are made'],
    [7, 'drops the upload of a file of which its media worker tells another size'],
    [15, 'tells an attempt that is over to stop when it has given a part away'],
    [212, 'forgets a job whose cancel is written after its attempt was lost'],
    [8004, 'forgets a job that was ended while its object answered nobody, and has no alarm left'],
    [34, 'loses no result whose media worker tells it again while the database fails'],
  ])('seed %i %s', { tags: [campaignTag] }, async (seed) => {
    // None of them was found where calls come late.
    const { broken } = await runSeed(started, { seed, days: 1, comesLate: false })
    expect(broken).toEqual([])
  })
})
