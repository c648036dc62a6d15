import { chmod, chown } from 'node:fs/promises'

/**
 * Lets ffmpeg's user, through its group, create files in a job folder but neither change nor remove the files of the
 * media worker. The files in the folder belong to that group, so they need not be readable by every user.
 */
export async function openTo(folder: string, user: number | undefined): Promise<void> {
  if (user === undefined) return
  await chown(folder, -1, user)
  await chmod(folder, 0o3770)
}
