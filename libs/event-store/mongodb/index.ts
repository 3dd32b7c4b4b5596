export { WrongMasterKey } from '../key-wrap.js';
export { MongoUnusable } from './connection.js';
export { type MongoOptions, MongoSideStores } from './open.js';
