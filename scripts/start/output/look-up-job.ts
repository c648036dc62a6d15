import { callAdmin, type AdminTarget } from '../../admin/call-admin.ts'
import type { LookUp } from './job-board.ts'

/** Asks the service for the name and the result of a job. */
export function lookUpJob(target: AdminTarget): LookUp {
  return async (jobId) => {
    const { videoId, status, error } = await callAdmin(target, { command: 'jobs.show', jobId })
    const { jobs } = await callAdmin(target, { command: 'jobs.list', videoId })
    return { videoId, status, error, name: jobs[0]?.videoName ?? videoId }
  }
}
