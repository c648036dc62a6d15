import { describe, expect, it } from 'vitest'
import { main } from '../../../../client/src/cli/main.ts'
import { AnsweringServer, answerJson } from '../../support/answering-server.ts'
import { standInTerminal } from '../support/stand-in-terminal.ts'

const speakers = [
  { name: 'Anna', seconds: 80, heardAs: ['Speaker 1', 'Speaker 3'] },
  { name: 'Speaker 2', seconds: 9.5 },
]
const told = { status: 'completed', speakersCertain: false, speakers }

async function run(words: string, transcript: object | undefined = told) {
  const server = await AnsweringServer.start((_, response) =>
    answerJson(response, 200, { videoId: 'v_12345678', status: 'succeeded', transcript }),
  )
  const env = { SPOOL_API_KEY: 'spool_test', SPOOL_BASE_URL: server.origin }
  const { surroundings, stdout, stderr } = standInTerminal({ env })
  const named = words.split(' ').map((word) => word.replaceAll('_', ' '))
  const exitCode = await main(['speakers', 'v_12345678', ...named.filter(Boolean)], surroundings)
  const changed = server.asked.find(({ method }) => method === 'PATCH')?.body.toString()
  const change = changed === undefined ? undefined : (JSON.parse(changed) as unknown)
  return { exitCode, out: stdout.text, err: stderr.text, change }
}

describe('spool speakers', () => {
  it('lists who speaks, and says if that is not certain', async () => {
    const { exitCode, out, err, change } = await run('')
    expect({ exitCode, change }).toEqual({ exitCode: 0, change: undefined })
    expect(out.split('\n')).toEqual([
      'SPEAKER    SPEAKS      HEARD AS',
      'Anna       1 min 20 s  Speaker 1, Speaker 3',
      'Speaker 2  9.5 s',
      '',
    ])
    expect(err).toContain('It is not certain who speaks')
    expect(JSON.parse((await run('--json')).out)).toEqual(speakers)
  })

  it('names people by any name that they have', async () => {
    const { exitCode, err, change } = await run('--name Speaker_2=Ben=B --name Anna=')
    expect(exitCode).toBe(0)
    expect(change).toEqual({
      speakerNames: { 'Speaker 2': 'Ben=B', 'Speaker 1': null, 'Speaker 3': null },
    })
    expect(err).toContain('Named the speakers of v_12345678')
    expect((await run('--name Speaker_3=Cleo')).change).toEqual({
      speakerNames: { 'Speaker 3': 'Cleo' },
    })
    expect((await run('--reset')).change).toEqual({ speakerNames: null })
    const speakers = ['A', 'A=B'].map((name) => ({ name, seconds: 1 }))
    expect((await run('--name A=B=Carl', { ...told, speakers })).change).toEqual({
      speakerNames: { 'A=B': 'Carl' },
    })
  })

  it('changes nothing if the words are wrong', async () => {
    const wrong = {
      '--name Anna': "--name needs SPEAKER=NAME, such as 'Speaker 1=Anna', not 'Anna'.",
      '--name Eve=Ann': "There is no speaker 'Eve' in this video.\nSpeakers are: Anna, Speaker 2",
      '--name Anna=Ann --name Speaker_3=Cleo':
        "--name names 'Speaker 3' twice. Give each speaker one name.",
      '--name Anna=Ann --reset': '--name and --reset exclude each other.',
    }
    for (const [words, message] of Object.entries(wrong)) {
      const { exitCode, err, change } = await run(words)
      expect({ exitCode, change }).toEqual({ exitCode: 2, change: undefined })
      expect(err).toContain(message)
    }
  })

  it('says what to do if speakers were not told apart, or not yet', async () => {
    const silent = await run('', { status: 'completed' })
    expect(silent.exitCode).toBe(5)
    expect(silent.err).toContain('The speakers of this video were not told apart.')
    expect(silent.err).toContain('spool run v_12345678 --speakers')
    expect((await run('', { status: 'processing' })).err).toContain('spool watch v_12345678')
  })
})
