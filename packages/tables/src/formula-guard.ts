export { guardFormula, unguardFormula } from '@fieldroster/contract/formula-guard';
