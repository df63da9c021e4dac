// Twenty thousand malformed requests, and the state in which the server must be after each and after all of them.
// A failure prints the seed and the request. ROLLCALL_SEED=… repeats a run, ROLLCALL_SEED=random uses a new seed, and
// ROLLCALL_FUZZ_ONLY=… sends one request alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { machineRandom } from '../../src/base/random.ts'
import { fitsHttp2, Http2Connection } from './http2-connection.ts'
import { type MalformedRequest, malformedRequest } from './malformed-requests.ts'
import { RawConnection, type RawResponse } from './raw-connection.ts'
import { type RunningCluster, startCluster } from './running-cluster.ts'
import { namespace, type ValidObject, validObjects } from './valid-objects.ts'

const requests = Number(process.env['ROLLCALL_FUZZ_REQUESTS'] ?? 20_000)
const connections = 12
const given = process.env['ROLLCALL_SEED'] ?? '1'
const seed = given === 'random' ? Math.floor(machineRandom.next() * 2 ** 31) : Number(given)
const only = process.env['ROLLCALL_FUZZ_ONLY']

/** Responses with a code of 500 and above that Kubernetes gives to the same requests, with the reason. */
const allowedFaults: readonly { readonly code: number; readonly message: RegExp; readonly because: string }[] = [
  {
    code: 500,
    message: /^failed to create typed patch object \(/,
    because: 'Kubernetes does not count what does not fit the schema as a refusal when it is applied',
  },
  {
    code: 500,
    message:
      /^(failed to convert new object \(|json: cannot unmarshal \w+( \S+)? into Go (struct field|value) |parsing time |illegal base64 data |exceeded max depth$|quantities must match the regular expression )/,
    because: 'a number or a text that fits the schema of what is applied, but not its Go type, is found too late for a refusal',
  },
  {
    code: 500,
    message:
      /^(expected a |unknown patch type: |unable to find api field in struct |list element types are not identical: |The order in patch list:|map: .* does not contain declared merge key: |merging lists cannot yet be specified)/s,
    because: 'of the errors of a strategic merge patch Kubernetes turns only a few into refusals, and these are not among them',
  },
  {
    code: 500,
    message: /^strconv\.ParseUint: parsing /,
    because: 'Kubernetes reads the resourceVersion of an update too late for a refusal',
  },
  {
    code: 500,
    message: /^resourceVersion: Invalid value: .* strconv\.ParseUint: parsing /,
    because: 'Kubernetes reads that of a get and of a watch in its storage, and gives no reason when it cannot',
  },
  {
    code: 500,
    message: /^This pod has more than one PodDisruptionBudget/,
    because: 'Kubernetes does not evict it, and calls that a fault',
  },
  {
    code: 500,
    message: /^\[?(target|metadata)\.\w+: /,
    because: 'what is wrong with a Binding is no refusal in Kubernetes either',
  },
  {
    code: 504,
    message: /^Timeout: Too large resource version: /,
    because: 'the client may have seen that version elsewhere, and is to try again',
  },
  {
    code: 503,
    message: /^no endpoints available for service/,
    because: 'a Service without ready pods cannot be reached through the proxy',
  },
  { code: 504, message: /^Timeout: request did not complete/, because: 'the request set itself a timeout that is too short' },
]

let cluster: RunningCluster
beforeAll(async () => {
  cluster = await startCluster()
  const made = await cluster.ask('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
  if (made.code !== 201) throw new Error(made.text)
  await createSoundObjects()
}, 60_000)
afterAll(() => cluster?.stop())

async function createSoundObjects(): Promise<void> {
  for (const { collection, object } of validObjects) {
    const { code, text } = await cluster.ask('POST', collection, object)
    // Allowed: the object is terminating with a finalizer that was added, or a changed quota forbids it.
    if (code !== 201 && code !== 409 && code !== 403) throw new Error(`create ${collection}: ${code} ${text}`)
  }
}

const isAllowed = (code: number, message = '') => allowedFaults.some((one) => one.code === code && one.message.test(message))

function complaint(request: MalformedRequest, answer: RawResponse | 'closed'): string | undefined {
  if (answer === 'closed') return request.isBroken ? undefined : 'the server hung up'
  const { code, headers, body } = answer
  const type = headers.get('content-type') ?? ''
  if (type === 'application/json' && request.method !== 'HEAD' && !answer.isStream) {
    const complaint = complainOfJson(code, body.toString())
    if (complaint !== undefined) return complaint
  } else if (code >= 500 && !isAllowed(code, /^message: (?:['"]|\|-?\s*)?(.*)/m.exec(body.toString())?.[1])) return `a fault: ${body}`
  else if (type === 'application/yaml' && !/^(\w|"|- |\{)/.test(body.toString()) && request.method !== 'HEAD') return 'this is no YAML'
  return undefined
}

function complainOfJson(code: number, text: string): string | undefined {
  let value: {
    readonly kind?: string
    readonly status?: string
    readonly code?: number
    readonly message?: string
    readonly paths?: unknown
    readonly gitVersion?: unknown
    readonly swagger?: unknown
  }
  try {
    value = JSON.parse(text)
  } catch {
    return 'what was declared as JSON is none'
  }
  if (code >= 500 && !isAllowed(code, value.message)) return `a fault: ${value.message}`
  if (code >= 400 && (value.kind !== 'Status' || value.status !== 'Failure' || value.code !== code || typeof value.message !== 'string'))
    return 'a refusal that is no Status, or a Status that does not fit its code'
  const isDocument = value.paths !== undefined || value.gitVersion !== undefined || value.swagger !== undefined
  if (code < 400 && typeof value.kind !== 'string' && !isDocument) return 'an answer without a kind'
  return undefined
}

function describeFailure(index: number, request: MalformedRequest, answer: RawResponse | 'closed' | undefined, problem: string): string {
  const { method, target, headers, body } = request
  const shown = (text: string, most: number) => JSON.stringify(text.length > most ? `${text.slice(0, most)}… (${text.length})` : text)
  return [
    `${problem} (ROLLCALL_SEED=${seed} ROLLCALL_FUZZ_ONLY=${index})`,
    `  ${method} ${shown(target, 500)}`,
    ...headers.slice(0, 5).map(([name, value]) => `  ${name}: ${shown(value, 200)}`),
    ...(body === undefined ? [] : [`  ${shown(body.toString('latin1'), 1500)}`]),
    ...(answer === undefined || answer === 'closed' ? [] : [`  answer ${answer.code} ${shown(answer.body.toString(), 500)}`]),
  ].join('\n')
}

describe(`malformed requests (ROLLCALL_SEED=${seed})`, () => {
  it(`answers ${requests} of them as Kubernetes would, or at least soberly`, async () => {
    const failures: string[] = []
    const codes = new Map<number, number>()
    let next = 0
    const sendSome = async () => {
      const http1 = new RawConnection(cluster.url, cluster.token)
      const http2 = new Http2Connection(cluster.url, cluster.token)
      while (next < requests && failures.length < 30) {
        const index = next++
        if (index % 1000 === 999) await createSoundObjects()
        const request = malformedRequest(seed, index)
        if (only !== undefined && index !== Number(only)) continue
        const connection = index % 4 === 0 && fitsHttp2(request) ? http2 : http1
        let answer: RawResponse | 'closed' | undefined
        let problem: string | undefined
        try {
          answer = await connection.send(request)
          problem = complaint(request, answer)
          if (answer !== 'closed') codes.set(answer.code, (codes.get(answer.code) ?? 0) + 1)
        } catch (error) {
          problem = (error as Error).message
          connection.close()
          if (cluster.process.exitCode !== null) next = requests
        }
        if (request.isBroken) connection.close()
        if (problem !== undefined) failures.push(describeFailure(index, request, answer, problem))
        else if (only !== undefined) console.log(describeFailure(index, request, answer, 'fine'))
      }
      http1.close()
      http2.close()
    }
    await Promise.all(Array.from({ length: connections }, sendSome))
    if (process.env['ROLLCALL_FUZZ_CODES'] !== undefined) console.log(Object.fromEntries(codes))
    expect(failures.join('\n\n')).toBe('')
    // They must not all be refused for the same reason.
    if (only === undefined)
      for (const code of [200, 201, 400, 404, 405, 409, 415, 422])
        expect(codes.get(code), `answers with ${code}`).toBeGreaterThan(requests / 2000)
  }, 300_000)

  it('logged no exception', () => {
    expect(cluster.output()).not.toContain('Cannot respond')
    expect(cluster.output()).not.toMatch(/^\s+at |\w+Error:/m)
    expect(cluster.process.exitCode).toBeNull()
  })

  it('polluted nothing', async () => {
    const path = '/api/v1/namespaces/default/configmaps'
    const { text } = await cluster.ask('POST', path, { metadata: { name: 'clean' } })
    expect(text).not.toContain('polluted')
    const data = '{"__proto__":"a","constructor":"b","toString":"c"}'
    const made = await cluster.ask('POST', path, `{"metadata":{"name":"strange-keys"},"data":${data}}`)
    expect(made.code).toBe(201)
    expect(made.text).toContain(`"data":${data}`)
    expect((await cluster.ask('GET', `${path}/strange-keys`)).text).toBe(made.text)
  })

  it('still serves every kind: create, get, watch, list, update, delete', async () => {
    const failures: string[] = []
    await Promise.all(
      validObjects.map((sound) => workWith(sound).catch((error: Error) => failures.push(`${sound.kind}: ${error.message}`))),
    )
    expect(failures).toEqual([])
  }, 60_000)

  it('stored only what it accepts again without a change', async () => {
    const failures: string[] = []
    let count = 0
    for (const { collection, namespaced } of validObjects) {
      const everywhere = collection.replace(`/namespaces/${namespace}`, '')
      const { items } = (await cluster.ask('GET', everywhere)).json as { readonly items: readonly StoredObject[] }
      for (const item of items) {
        count++
        const { name, namespace: place } = item.metadata
        const path = `${namespaced ? everywhere.replace(/[^/]+$/, `namespaces/${place}/$&`) : everywhere}/${encodeURIComponent(name)}`
        const problem = await writeAgain(path)
        if (problem !== undefined) failures.push(problem)
      }
    }
    expect(failures.slice(0, 10).join('\n')).toBe('')
    expect(count).toBeGreaterThan(validObjects.length)
  }, 120_000)
})

interface StoredObject {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid: string; readonly resourceVersion: string }
}

/** The problem of an object, if any. Controllers may change it concurrently, so it is tried a few times. */
async function writeAgain(path: string): Promise<string | undefined> {
  let problem: string | undefined
  for (let attempt = 0; attempt < 5; attempt++) {
    const read = await cluster.ask('GET', path)
    if (read.code === 404) return undefined
    const again = await cluster.ask('PUT', path, read.text)
    if (again.code === 200 && again.text === read.text) return undefined
    problem = `PUT ${path} of what was read: ${again.code}\n  read ${read.text.slice(0, 3000)}\n  put  ${again.text.slice(0, 3000)}`
  }
  return problem
}

async function workWith({ collection, kind, object, namespaced, app }: ValidObject): Promise<void> {
  const other = namespaced ? collection.replace(namespace, 'default') : collection
  const text = JSON.stringify(object).replaceAll(`"namespace":"${namespace}"`, '"namespace":"default"')
  // No controller may adopt the objects of a controller of another kind.
  const moved = JSON.parse(text.replaceAll(`"${app}"`, `"${app}-afterwards"`)) as typeof object
  // The controller of a Service deletes Endpoints of the same name with it.
  const name = `afterwards-${kind.toLowerCase()}`
  const fresh = { ...moved, metadata: { ...moved.metadata, name } }
  const ask = async (code: number, method: string, path: string, body?: unknown) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const answer = await cluster.ask(method, path, body, { 'content-type': type })
    if (answer.code !== code) throw new Error(`${method} ${path}: ${answer.code} ${answer.text}`)
    return answer.json as StoredObject & { readonly items: readonly StoredObject[] }
  }
  const made = await ask(201, 'POST', other, fresh)
  const path = `${other}/${name}`
  expect((await ask(200, 'GET', path)).metadata.uid).toBe(made.metadata.uid)
  const { items } = await ask(200, 'GET', `${other}?fieldSelector=metadata.name=${name}`)
  expect(items.map((one) => one.metadata.uid)).toEqual([made.metadata.uid])
  const changed = await ask(200, 'PATCH', path, { metadata: { annotations: { changed: 'yes' } } })
  const { resourceVersion } = made.metadata
  const since = `resourceVersion=${Number(resourceVersion) - 1}`
  const watched = await cluster.ask('GET', `${other}?watch=1&timeoutSeconds=1&${since}&fieldSelector=metadata.name=${name}`)
  const events = watched.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly type: string; readonly object: StoredObject })
    .map(({ type, object: { metadata } }) => `${type} ${metadata.resourceVersion}`)
  expect(events[0]).toBe(`ADDED ${resourceVersion}`)
  expect(events).toContain(`MODIFIED ${changed.metadata.resourceVersion}`)
  await ask(200, 'DELETE', `${path}?gracePeriodSeconds=0`)
}
