// The package as a user gets it: packed from a fresh clone, installed in an empty folder, and used from there.
import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBlocks, runCommand } from './console-blocks.ts'
import { kubectlMinor, root } from './running-cluster.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollcall-package-'))
const clone = join(folder, 'clone')
const project = join(folder, 'project')
const { NODE_TEST_CONTEXT: _, NODE_ENV: __, ...env } = process.env

function run(cwd: string, file: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(file, args, { cwd, env, encoding: 'utf8', timeout: 240_000 })
  return { status, stdout, output: `${stdout}${stderr}` }
}

/** Packages in npm's cache need no registry. */
const install = (cwd: string, ...args: string[]) => run(cwd, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...args)

/** The files that docs/testing.md shows in full: a line that names the file, then its content. */
function filesOf(document: string): ReadonlyMap<string, string> {
  return new Map([...document.matchAll(/`([\w./-]+)`:\n\n```\w+\n([\s\S]*?)```\n/g)].map(([, name, text]) => [name!, text!]))
}

/** Calls that must compile in a user's program, and calls that must not. */
const typed = `import { type Measures, type SimulationResult, renderReport, simulate } from 'rollcall'
import { createCluster, type Deployment, matchers, type Pod, startServer, type TestCluster } from 'rollcall/testing'
import { expect } from 'rollcall/testing/node-test'
await using cluster: TestCluster = await createCluster({ nodes: 2 })
const deployment = await cluster.get('deploy', 'web')
export const ready: number | undefined = deployment?.status?.readyReplicas
export const policy: 'TerminationStarted' | 'TerminationComplete' | undefined = deployment?.spec?.podReplacementPolicy
export const pods: readonly Pod[] = await cluster.list('pods')
export const sameDeployments: readonly Deployment[] = await cluster.list('deployments.apps')
export const phase: string | undefined = (await cluster.list('po'))[0]?.status?.phase
await expect(cluster).toKeepCap('deployment/web')
await expect(cluster).not.toBecomeAvailable('deploy/web', { within: '1m' })
export const result: boolean = matchers.toKeepCap(cluster, 'deployment/web').pass
const server = await startServer({ time: 'virtual', nodes: [{ count: 2, cpu: '8' }] })
export const file: string = server.kubeconfig
await server.until(async () => (await server.get('Deployment', 'web'))?.status?.availableReplicas === 3)
export const simulated: SimulationResult = await simulate({ files: ['web.yaml'], to: 'image=web:2', policies: ['None'] })
export const peak: Measures['peakPods'] | undefined = simulated.outcomes[0]?.measures.peakPods
export const page: string = renderReport(simulated)
// @ts-expect-error: not an option
await createCluster({ nods: 2 })
// @ts-expect-error: misspelt
await cluster.list('pds')
// @ts-expect-error: misspelt
await cluster.get('deploymnet', 'web')
// @ts-expect-error: misspelt
await expect(cluster).toKeepCap('deploymnet/web')
// @ts-expect-error: misspelt
await cluster.apply({ apiVersion: 'apps/v1', kind: 'Deploymnet', metadata: { name: 'web' } })
// @ts-expect-error: not a policy
await simulate({ policies: ['Never'] })
`

const guide = readFileSync(join(root, 'docs/testing.md'), 'utf8')
const files = filesOf(guide)
const npmCache = spawnSync('npm', ['config', 'get', 'cache'], { env, encoding: 'utf8' }).stdout.trim()
// One lost response does not mean that there is no registry.
const isReachable = [1, 2, 3].some(() => spawnSync('npm', ['ping'], { env, timeout: 60_000 }).status === 0)

beforeAll(() => {
  mkdirSync(project)
  // The files of the next commit, committed or not.
  const listed = run(root, 'git', 'ls-files', '--cached', '--others', '--exclude-standard').stdout.trim().split('\n')
  for (const name of listed) {
    const isThere = statSync(join(root, name), { throwIfNoEntry: false })?.isFile()
    if (!isThere) continue
    mkdirSync(dirname(join(clone, name)), { recursive: true })
    writeFileSync(join(clone, name), readFileSync(join(root, name)))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

describe.skipIf(!isReachable)('the package (npm cannot reach a registry)', () => {
  let tarball: string

  it('is packed by npm pack in a fresh clone, with the build and without source maps', () => {
    const packed = run(clone, 'npm', 'pack', '--json', '--pack-destination', folder)
    expect(packed.output).toContain('rollcall')
    expect(packed.status).toBe(0)
    tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!)
    const names = run(folder, 'tar', '-tzf', tarball).stdout.trim().split('\n')
    expect(names).toContain('package/SECURITY.md')
    expect(names).toEqual(expect.arrayContaining(['package/dist/rollcall.mjs', 'package/dist/testing.mjs', 'package/dist/testing.d.ts']))
    const page = ['index.html', 'app.js', 'app.css', 'worker.js'].map((name) => `package/dist/ui/${name}`)
    expect(names).toEqual(expect.arrayContaining(page))
    expect(names.filter((name) => name.endsWith('.map') || name.startsWith('package/src/'))).toEqual([])
    expect(statSync(tarball).size).toBeLessThan(3_000_000)
  }, 300_000)

  it('is what the steps of deploy/Dockerfile put into the image, where its entry point runs', () => {
    const lines = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').split('\n')
    const argumentsOf = (instruction: string) =>
      lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1))
    const [built, image] = [join(folder, 'built'), join(folder, 'image')]
    const inBuild = (text: string) => text.replaceAll('/build', clone).replaceAll('/app', built)
    expect(argumentsOf('COPY')[0]).toBe('. .')
    for (const step of argumentsOf('RUN')) {
      const { status, output } = run(clone, 'sh', '-ec', inBuild(step))
      expect(status, output).toBe(0)
    }
    const copied = argumentsOf('COPY').flatMap((words) => /^--from=build (\S+) \.\/(\S+)$/.exec(words)?.slice(1) ?? [])
    expect(copied).toHaveLength(2)
    cpSync(inBuild(copied[0]!), join(image, copied[1]!), { recursive: true })
    const [program, ...args] = JSON.parse(argumentsOf('ENTRYPOINT')[0]!) as readonly string[]
    const { status, stdout } = run(image, program!, ...args.map((word) => word.replace('/app', image)), 'version')
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^rollcall \d+\.\d+\.\d+\n/)])
  }, 300_000)

  it('is installed and tested with the words of docs/testing.md', () => {
    const [, commands = ''] = /```sh\n([\s\S]*?)```/.exec(guide) ?? []
    expect([...files.keys()]).toEqual(['package.json', 'web.yaml', 'web.test.js'])
    for (const [name, text] of files) writeFileSync(join(project, name), text)
    const typed = commands.replace(/\.\/rollcall-[\d.]+\.tgz/, `--prefer-offline --no-audit --no-fund ${tarball}`)
    expect(typed).toContain(tarball)
    const { status, output } = run(project, 'sh', '-ec', `${typed}npm test`)
    expect(output).toMatch(/pass 1\n/)
    expect(status).toBe(0)
  }, 300_000)

  it.skipIf(kubectlMinor() === undefined)('is a plugin of kubectl', () => {
    const asPlugin = (words: string) => run(project, 'sh', '-c', `PATH="$PWD/node_modules/.bin:$PATH" kubectl rollcall ${words}`)
    expect(asPlugin('simulate --help').stdout).toMatch(/^Usage: kubectl rollcall simulate /)
    expect(asPlugin('version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^rollcall \d/) })
  })

  it.skipIf(kubectlMinor() === undefined)(
    'is installed in an empty folder and used as README.md shows, and is small',
    async () => {
      const empty = join(folder, 'empty')
      mkdirSync(empty)
      const home = join(folder, 'home')
      const environment = { PATH: env['PATH'], HOME: home, npm_config_cache: npmCache, npm_config_prefer_offline: 'true' }
      copyFileSync(tarball, join(empty, basename(tarball)))
      const [block] = readBlocks(readFileSync(join(root, 'README.md'), 'utf8'))
      try {
        expect(block!.commands.map(({ typed }) => typed.split(' ', 3).slice(1).join(' '))).toEqual(
          expect.arrayContaining(['rollcall up', 'rollcall status', 'rollcall down']),
        )
        for (const command of block!.commands) expect(await runCommand(command, empty, environment)).toBeUndefined()
      } finally {
        spawnSync('npx', ['rollcall', 'down', '--delete-data'], { cwd: empty, env: environment })
      }
      const [kilobytes] = run(empty, 'du', '-sk', 'node_modules').stdout.split('\t')
      expect(Number(kilobytes)).toBeLessThan(15_000)
      const native = run(empty, 'find', 'node_modules', '-name', '*.node').stdout
      expect(native).toBe('')
    },
    120_000,
  )

  it('brings no client-node, and types that need none', () => {
    const installed = readdirSync(join(project, 'node_modules'))
    expect(installed).not.toContain('@kubernetes')
    writeFileSync(join(project, 'typed.ts'), typed)
    // Without skipLibCheck, without @types/node, and with a `lib` that has no disposable objects.
    const compilerOptions = { noEmit: true, strict: true, target: 'es2022', module: 'nodenext', types: [] }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }))
    const { output } = run(project, process.execPath, join(root, 'node_modules/typescript/bin/tsc'))
    expect(output).toBe('')
  }, 120_000)

  it('runs as npx rollcall', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
    expect(run(project, 'npx', '--offline', 'rollcall', '--version').output).toContain(`${version}\n`)
    const { status, output } = run(project, 'npx', '--offline', 'rollcall', 'simulate', '-f', 'web.yaml', '--to', 'image=example/web:2')
    expect(output).toContain('Deployment default/web')
    expect(output).toContain('until complete')
    expect(status).toBe(0)
  }, 120_000)

  it('has no script that npm runs, or warns about, when it is installed', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
    expect(['preinstall', 'install', 'postinstall', 'prepare'].filter((name) => name in scripts)).toEqual([])
  })

  it('is linked and built for examples/testing in a fresh clone', () => {
    rmSync(join(clone, 'dist'), { recursive: true, force: true })
    rmSync(join(clone, 'node_modules'), { recursive: true, force: true })
    const example = join(clone, 'examples/testing')
    const installed = install(example)
    expect(installed.status, installed.output).toBe(0)
    const { status, output } = run(example, 'npm', 'test')
    expect(output).toMatch(/pass 6\n/)
    expect(status).toBe(0)
  }, 300_000)
})
