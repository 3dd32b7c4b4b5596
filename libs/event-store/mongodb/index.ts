export { WrongMasterKey } from '../key-wrap.js';
export { MongoSideStores } from './open.js';
