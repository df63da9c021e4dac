// Sends published manifests to two API servers with kubectl, and reports what they answer differently: exit codes, accepted objects, and messages.
//
//   node scripts/compare-manifests.mjs FOLDER KUBECONFIG KUBECONFIG [ONLY…]
//
// Each entry of FOLDER, a file or a folder, is applied twice: on the client side, and with --server-side. Validation is on. What defines the namespaces and
// kinds that the manifests name is created first.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [folder, ...rest] = process.argv.slice(2)
const kubeconfigs = rest.slice(0, 2)
const only = rest.slice(2)
if (folder === undefined || kubeconfigs.length < 2) {
  console.error('error: a folder or a kubeconfig is missing. Run: node scripts/compare-manifests.mjs FOLDER KUBECONFIG KUBECONFIG [ONLY…]')
  process.exit(2)
}

const caches = kubeconfigs.map(() => mkdtempSync(join(tmpdir(), 'compare-manifests-')))
const rounds = ['apply', 'apply --server-side --force-conflicts']

function kubectl(server, args, input = '') {
  const env = { ...process.env, KUBECONFIG: kubeconfigs[server], KUBECACHEDIR: caches[server], HOME: caches[server] }
  const child = spawn('kubectl', args, { env, cwd: folder, stdio: 'pipe' })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (piece) => {
      output[name] += piece
    })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code: code ?? -1, ...output }))
  })
}

function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path).flatMap((name) => filesOf(join(path, name)))
}

const acceptedLine = /^(\S+\/\S+) (?:created|configured|unchanged|serverside-applied)(?: |$)/
const linesOf = (text) => text.split('\n').filter((line) => line !== '')
/** Without what differs from run to run. */
const normalize = (line) =>
  line
    .replaceAll(/resourceVersion: ?"?\d+/g, 'resourceVersion: N')
    .replaceAll(/0x[0-9a-f]{6,}/g, '0x…')
    .replaceAll(/https:\/\/[\w.:[\]]+/g, 'https://server')

function read({ code, stdout, stderr }) {
  const accepted = linesOf(stdout).flatMap((line) => acceptedLine.exec(line)?.[1] ?? [])
  return { code, accepted, messages: [...linesOf(stdout).filter((line) => !acceptedLine.test(line)), ...linesOf(stderr)].map(normalize) }
}

function without(lines, others) {
  const left = new Map()
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  })
}

const namespaces = new Set()
for (const file of filesOf(folder))
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^\s+namespace:\s*["']?([a-z0-9][a-z0-9-]*)["']?\s*$/gm)) namespaces.add(name)
const namespaceList = {
  apiVersion: 'v1',
  kind: 'List',
  items: [...namespaces].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
}
/** Without all namespaces, the servers would answer differently for a reason that is not theirs. */
await Promise.all(
  kubeconfigs.map(async (kubeconfig, server) => {
    const { code, stderr } = await kubectl(server, ['apply', '-f', '-'], JSON.stringify(namespaceList))
    if (code === 0) return
    console.error(`error: The namespaces cannot be created with ${kubeconfig}. Run it again: ${stderr.trim()}`)
    process.exit(2)
  }),
)

const definitions = filesOf(folder).filter((file) => /^kind: CustomResourceDefinition/m.test(readFileSync(file, 'utf8')))
await Promise.all(
  kubeconfigs.map((_, server) =>
    kubectl(server, ['apply', '--server-side', '--force-conflicts', ...definitions.flatMap((file) => ['-f', file])]),
  ),
)

const totals = { entries: 0, exitCodes: 0, accepted: [0, 0] }
for (const entry of readdirSync(folder).sort()) {
  if (only.length > 0 && !only.includes(entry)) continue
  const path = join(folder, entry)
  for (const verb of rounds) {
    const args = [...verb.split(' '), '-R', '-f', path]
    const [one, other] = (await Promise.all(kubeconfigs.map((_, server) => kubectl(server, args)))).map(read)
    totals.entries++
    if (one.code !== other.code) totals.exitCodes++
    totals.accepted[0] += one.accepted.length
    totals.accepted[1] += other.accepted.length
    console.log(`${entry}, ${verb}: exit codes ${one.code} and ${other.code}, ${one.accepted.length} and ${other.accepted.length} objects`)
    for (const [sign, mine, theirs] of [
      ['<', one, other],
      ['>', other, one],
    ]) {
      for (const line of without(mine.accepted, theirs.accepted)) console.log(`  ${sign} accepted ${line}`)
      for (const line of without(mine.messages, theirs.messages)) console.log(`  ${sign} ${line}`)
    }
  }
  // The programs that the webhooks call do not run.
  const webhooks = 'validatingwebhookconfigurations,mutatingwebhookconfigurations'
  await Promise.all(kubeconfigs.map((_, server) => kubectl(server, ['delete', webhooks, '--all'])))
}
console.log(`${totals.entries} runs: ${totals.exitCodes} different exit codes; ${totals.accepted.join(' and ')} objects accepted`)
for (const cache of caches) rmSync(cache, { recursive: true, force: true })
