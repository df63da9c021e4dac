// Feature gates over restarts of one data directory: disabling and enabling a gate again loses nothing.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningCluster, startCluster } from './running-cluster.ts'

const deploymentPath = '/apis/apps/v1/namespaces/default/deployments'
const jobPath = '/apis/batch/v1/namespaces/default/jobs'
const podSpec = { containers: [{ name: 'c', image: 'i' }] }
const ownFields = { podReplacementPolicy: 'TerminationComplete', terminatingAsActive: true, operationalThreshold: '90%' }
const deployment = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: { ...ownFields, selector: { matchLabels: { app: 'd' } }, template: { metadata: { labels: { app: 'd' } }, spec: podSpec } },
})
const job = (name: string) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: { terminatingAsActive: true, template: { spec: { ...podSpec, restartPolicy: 'Never' } } },
})

describe('rollcall up --feature-gates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-'))
  let cluster: RunningCluster
  const restart = async (flags: readonly string[]) => {
    await cluster.end('SIGTERM')
    cluster = await startCluster(flags, folder)
  }
  const specOf = async (path: string) => (await cluster.ask('GET', path)).json as { spec: Record<string, unknown> }
  const label = (path: string, value: string) =>
    cluster.ask('PATCH', path, { metadata: { labels: { touched: value } } }, { 'content-type': 'application/merge-patch+json' })

  beforeAll(async () => {
    cluster = await startCluster([], folder)
  }, 60_000)
  afterAll(async () => {
    await cluster?.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })

  it('starts with AllBeta=false alone, and keeps the fields of gates that go off and on again', async () => {
    expect((await cluster.ask('POST', deploymentPath, deployment('kept'))).code).toBe(201)
    expect((await cluster.ask('POST', jobPath, job('kept'))).code).toBe(201)
    const before = { deployment: await specOf(`${deploymentPath}/kept`), job: await specOf(`${jobPath}/kept`) }
    expect(before.deployment.spec).toMatchObject(ownFields)
    expect(before.job.spec).not.toHaveProperty('podReplacementPolicy')

    await restart(['--feature-gates=AllBeta=false'])
    expect((await cluster.ask('POST', deploymentPath, deployment('beta'))).json).not.toHaveProperty('spec.podReplacementPolicy')

    await restart(['--feature-gates=AllAlpha=false,AllBeta=false'])
    const fresh = (await cluster.ask('POST', deploymentPath, deployment('fresh'))).json as { spec: object }
    for (const field of Object.keys(ownFields)) expect(fresh.spec).not.toHaveProperty(field)
    const freshJob = (await cluster.ask('POST', jobPath, job('fresh'))).json as { spec: object }
    expect(freshJob.spec).not.toHaveProperty('terminatingAsActive')
    expect(freshJob.spec).toHaveProperty('podReplacementPolicy', 'TerminatingOrFailed')
    for (const path of [`${deploymentPath}/kept`, `${jobPath}/kept`]) expect((await label(path, 'off')).code).toBe(200)

    await restart([])
    for (const path of [`${deploymentPath}/kept`, `${jobPath}/kept`]) expect((await label(path, 'on')).code).toBe(200)
    expect((await specOf(`${deploymentPath}/kept`)).spec).toEqual(before.deployment.spec)
    expect((await specOf(`${jobPath}/kept`)).spec).toEqual(before.job.spec)
  }, 120_000)
})
