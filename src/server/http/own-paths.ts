// Paths of our own beside Kubernetes' API, below /rollcall/: for those who may do everything, and in no discovery document.
import { badRequestError, failure, tooLargeError } from '../../api/machinery/status-error.ts'
import type { Query } from './query.ts'
import type { Request } from './request.ts'

export const ownPrefix = '/rollcall/'

export interface OwnRequest {
  readonly method: string
  readonly path: string
  readonly query: Query
  /** Parsed JSON. Undefined where nothing was sent. */
  readonly body: unknown
}

export interface OwnAnswer {
  /** Default 200. */
  readonly code?: number
  readonly body: object
}

/** Undefined where there is no such path. What it refuses it throws, as a StatusError. */
export type AnswerOwn = (request: OwnRequest) => OwnAnswer | undefined | Promise<OwnAnswer | undefined>

export async function sendOwn(request: Request, answerOwn: AnswerOwn, bodyLimitBytes: number): Promise<void> {
  const { exchange, path, query } = request
  const answer = await answerOwn({ method: exchange.method, path, query, body: await readJson(request, bodyLimitBytes) })
  if (answer === undefined) throw failure(404, 'NotFound', 'the server could not find the requested resource', {})
  await request.sendDocument(answer.code ?? 200, 'application/json', `${JSON.stringify(answer.body)}\n`)
}

async function readJson({ exchange }: Request, limit: number): Promise<unknown> {
  if (!exchange.hasBody) return undefined
  const body = await exchange.readBody(limit)
  if (body === undefined) throw tooLargeError(`Request entity too large: limit is ${limit}`)
  if (body.length === 0) return undefined
  try {
    return JSON.parse(body.toString()) as unknown
  } catch (error) {
    throw badRequestError(`the body is no JSON: ${(error as Error).message}`)
  }
}
