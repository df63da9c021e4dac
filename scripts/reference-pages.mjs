// The generated pages of docs/reference, each with the function that writes its content. Needs a build.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { apiReference } from './api-reference.mjs'
import { root } from './set-up.mjs'

const commandReference = () =>
  execFileSync(process.execPath, [join(root, 'dist/rollcall.mjs'), '__reference'], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })

/** What `rollcall up` and `rollcall controllers` serve with --evictions. */
const evictionMetrics = [
  ['rollcall_waiting_evictions', 'Evictions that wait until their pods are replaced, by state.'],
  ['rollcall_eviction_wait_seconds', 'How long the longest waiting eviction has waited.'],
  ['rollcall_evictions_total', 'Evictions that may pass, by the reason: Replaced, NotNeeded or TimedOut.'],
]

/** What `rollcall controllers` and `rollcall pacer` serve besides the metrics of the work queues. */
const remoteMetrics = [
  ['leader_election_master_status', 'Whether this process leads: 1, or 0 for a standby.'],
  ['rest_client_requests_total', 'Number of HTTP requests, partitioned by status code and method.'],
  ['rest_client_request_duration_seconds', 'Request latency in seconds, by method.'],
  ['rollcall_dry_run_writes_total', 'Number of writes that --dry-run has not sent.'],
  ['rollcall_fights_total', 'Number of times that an object was left alone because another manager also writes its status.'],
  ['rollcall_pacer_waiting_pods', 'Pods whose scheduling gate the pacer has not removed yet.'],
  ['rollcall_pacer_wait_seconds', 'How long the longest waiting pod has waited.'],
  ['rollcall_pacer_waiting_evictions', 'Evictions that wait until their pods are replaced, by state.'],
  ['rollcall_pacer_eviction_wait_seconds', 'How long the longest waiting eviction has waited.'],
  ['rollcall_pacer_evictions_total', 'Evictions that may pass, by the reason: Replaced, NotNeeded or TimedOut.'],
  ['rollcall_pacer_bypassed_workloads', 'Workloads that opted in, and whose new pods arrive without the gate.'],
]

async function metricsReference() {
  const { startServer } = await import(pathToFileURL(join(root, 'dist/testing.mjs')).href)
  const server = await startServer({ nodes: 1, pacer: true })
  try {
    const text = await readText(`${server.url}/metrics`, server.token)
    const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]))
    const rows = [...text.matchAll(/^# HELP (\S+) (.+)$/gm)].map(([, name, help]) => `| \`${name}\` | ${types.get(name)} | ${help} |\n`)
    return `# Metrics

Generated from the program by \`npm run docs\`, in the text format of Prometheus.

## rollcall up

At \`/metrics\` of the API server: \`kubectl get --raw /metrics\`.

| metric | type | meaning |
|---|---|---|
${rows.join('')}
## rollcall controllers, rollcall pacer

At \`/metrics\` of \`--health-address\`, besides \`workqueue_*\` above.

| metric | meaning |
|---|---|
${remoteMetrics.map(([name, help]) => `| \`${name}\` | ${help} |\n`).join('')}
## rollcall up --evictions, rollcall controllers --evictions

| metric | meaning |
|---|---|
${evictionMetrics.map(([name, help]) => `| \`${name}\` | ${help} |\n`).join('')}`
  } finally {
    await server.stop()
  }
}

const readText = (url, token) =>
  new Promise((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${token}` }, rejectUnauthorized: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve(text))
    }).on('error', reject)
  })

/** By the path below docs/. */
export const referencePages = {
  'reference/commands.md': commandReference,
  'reference/metrics.md': metricsReference,
  'reference/api.md': apiReference,
}

export async function writeReference() {
  for (const [name, render] of Object.entries(referencePages)) {
    const path = join(root, 'docs', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, await render())
  }
}
