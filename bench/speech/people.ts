import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { readdir } from 'node:fs/promises'
import type { SpokenSentence } from './make-sample.ts'
import { readSound, trimmed } from './voices.ts'

const run = promisify(execFile)

/** Announcements of a telephone exchange by Allison Smith, CC BY-SA 3.0, at 8 kHz as a telephone has them. */
const debianPackage = 'asterisk-core-sounds-en-wav'
const soundFolder = 'usr/share/asterisk/sounds/en_US_f_Allison'

/** The text of some of its files. */
const announcements: Readonly<Record<string, string>> = {
  'agent-alreadyon':
    'That agent is already logged on. Please enter your agent number followed by the pound key.',
  'all-circuits-busy-now': 'All circuits are busy now.',
  'cannot-complete-as-dialed': 'Your call cannot be completed as dialed.',
  'confbridge-lock-no-join': 'The conference is currently locked and cannot be joined.',
  'confbridge-only-participant': 'You are currently the only participant in the conference.',
  'confbridge-pin':
    'Please enter your personal identification number followed by the pound or hash key.',
  'conf-invalid': 'That is not a valid conference number. Please try again.',
  'demo-echotest':
    'You are about to enter an echo test. In this mode everything you say will be repeated back to you just as soon as it is received. The purpose of this test is to give you an audible sense of the latency between you and the machine that is running the echo test application. You may end the test by hanging up or by pressing the pound key.',
  'dir-instr':
    'If this is the person you are looking for press one now, otherwise please press star now.',
  'feature-not-avail-line': 'That feature is not available on this line.',
  'followme/sorry': 'I am sorry, but I was unable to locate the person you are calling.',
  'followme/status':
    'The person you are calling is not at their desk. I will try to locate them for you.',
  'privacy-prompt': 'Please enter your phone number, starting with the area code.',
  'privacy-unident': 'The party you are trying to reach does not accept unidentified calls.',
  'queue-periodic-announce':
    'All of our representatives are currently busy. Please stay on the line and your call will be answered by the next available representative.',
  'queue-youarenext':
    'Your call is now first in line and will be answered by the next available representative.',
  'ss-noservice':
    'The number you have dialed is not in service. Please check the number and try again.',
  'tt-allbusy':
    'All representatives of the household are currently assisting other telemarketers. Please hold and your call will be answered in the order it was received.',
  'tt-monkeysintro': 'They have been carried away by monkeys.',
  'tt-weasels': 'Weasels have eaten our phone system.',
  'vm-intro': 'Please leave your message after the tone. When done hang up or press the pound key.',
  'vm-nobodyavail': 'Nobody is available to take your call at the moment.',
  'vm-nobox': 'You cannot reply to this message because the sender does not have a mailbox.',
  'vm-savefolder': 'Which folder should I save the message to?',
}

/** Downloads the package from the Debian mirror of this machine. */
export async function fetchPeople(folder: string): Promise<SpokenSentence[]> {
  await run('apt-get', ['download', debianPackage], { cwd: folder })
  const archive = (await readdir(folder)).find((name) => name.endsWith('.deb'))
  if (archive === undefined) throw new Error(`apt-get brought no ${debianPackage}`)
  await run('dpkg-deb', ['-x', path.join(folder, archive), folder])
  const spoken: SpokenSentence[] = []
  for (const [name, text] of Object.entries(announcements)) {
    const file = path.join(folder, soundFolder, `${name}.wav`)
    spoken.push({ text, samples: trimmed(await readSound(['-i', file])) })
  }
  return spoken
}
