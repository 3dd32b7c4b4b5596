import type { Type } from '@nestjs/common';

const controllers: Type[] = [];

/** Adds a controller to the service. */
export function Registered(controller: Type): void {
  controllers.push(controller);
}

/** The controllers of all loaded modules. */
export function registeredControllers(): Type[] {
  return controllers;
}
