import { chmod, chown } from 'node:fs/promises'

/**
 * Lets the group of ffmpeg's user make files in a job folder, but neither change nor remove what the media worker has
 * put there. Files in it belong to that group, so nothing has to be readable by everybody.
 */
export async function openTo(folder: string, user: number | undefined): Promise<void> {
  if (user === undefined) return
  await chown(folder, -1, user)
  await chmod(folder, 0o3770)
}
