import type { Command } from '../arguments/command.ts'
import { profileName } from '../session/choose-access.ts'
import { readProfiles, writeProfiles } from '../session/profiles.ts'

export const logout: Command = {
  name: 'logout',
  summary: 'Forget the key of a profile; the key itself stays valid',
  examples: { 'Forget the usual key': 'spool logout' },
  async run(_, { common, screen, surroundings, profilesFile }) {
    const name = profileName(surroundings.env, common.profile)
    const { [name]: gone, ...others } = await readProfiles(profilesFile)
    if (gone) await writeProfiles(profilesFile, others)
    if (common.json) screen.printJson({ profile: name, forgotten: gone !== undefined })
    else screen.note(gone ? `The key for ${gone.baseUrl} is forgotten.` : 'There was no key.')
  },
}
