// Property tests use one seed, so that a run of the suite can be repeated. ROLLCALL_PROPERTY_SEED plays another one.
import { configureGlobal, readConfigureGlobal } from 'fast-check'

configureGlobal({ ...readConfigureGlobal(), seed: Number(process.env.ROLLCALL_PROPERTY_SEED ?? 20_261_101) })
